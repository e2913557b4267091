//! The keys of maps: text, and what is spelled as text.

use super::{Done, Json, SerializeError};
use serde::ser::{Impossible, Serialize, Serializer};

type Never = Impossible<(), SerializeError>;

/// The key of a map: text, or what is spelled as text.
pub(super) struct Key<'j> {
    pub(super) json: &'j mut Json,
    /// Whether text is JSON already, and written as it is.
    pub(super) is_verbatim: bool,
}

impl Key<'_> {
    fn quoted(self, write: impl FnOnce(&mut Json) -> Done) -> Done {
        self.json.out.push(b'"');
        write(self.json)?;
        self.json.word("\"")
    }
}

macro_rules! quoted {
    ($($method:ident $type:ty;)*) => {$(
        fn $method(self, value: $type) -> Done {
            self.quoted(|json| json.$method(value))
        }
    )*};
}

fn no_key() -> SerializeError {
    SerializeError("key must be a string".to_owned())
}

fn no_finite_key() -> SerializeError {
    SerializeError("float key must be finite (got NaN or +/-inf)".to_owned())
}

impl Serializer for Key<'_> {
    type Ok = ();
    type Error = SerializeError;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Never;
    type SerializeStructVariant = Never;

    quoted! {
        serialize_bool bool;
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_i128 i128;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
        serialize_u128 u128;
    }

    fn serialize_f32(self, value: f32) -> Done {
        if !value.is_finite() {
            return Err(no_finite_key());
        }
        self.quoted(|json| json.serialize_f32(value))
    }

    fn serialize_f64(self, value: f64) -> Done {
        if !value.is_finite() {
            return Err(no_finite_key());
        }
        self.quoted(|json| json.serialize_f64(value))
    }

    fn serialize_char(self, value: char) -> Done {
        self.json.serialize_char(value)
    }

    fn serialize_str(self, value: &str) -> Done {
        if self.is_verbatim {
            return self.json.word(value);
        }
        self.json.serialize_str(value)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Done {
        self.json.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_bytes(self, _: &[u8]) -> Done {
        Err(no_key())
    }

    fn serialize_unit(self) -> Done {
        Err(no_key())
    }

    fn serialize_none(self) -> Done {
        Err(no_key())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        Err(no_key())
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Done {
        Err(no_key())
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Never, SerializeError> {
        Err(no_key())
    }

    fn serialize_tuple(self, _: usize) -> Result<Never, SerializeError> {
        Err(no_key())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Never, SerializeError> {
        Err(no_key())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Never, SerializeError> {
        Err(no_key())
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Never, SerializeError> {
        Err(no_key())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Never, SerializeError> {
        Err(no_key())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Never, SerializeError> {
        Err(no_key())
    }
}
