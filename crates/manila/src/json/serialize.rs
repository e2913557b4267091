//! From any value that serialises to JSON text, as `serde_json` writes it.
//!
//! It is a serialiser of our own so that programs which only write an envelope link no other.

mod key;

use super::spell;
use key::Key;
use serde::ser::{self, Serialize, Serializer};
use std::fmt::{self, Display};

/// The names by which `serde_json` passes on text that is JSON already, and numbers as text.
pub(super) const RAW_VALUE: &str = "$serde_json::private::RawValue";
const NUMBER: &str = "$serde_json::private::Number";

/// Where the decimal point may stand without an exponent, in numbers of 64 and of 32 bits.
const PLAIN_64: std::ops::RangeInclusive<i32> = -4..=16;
const PLAIN_32: std::ops::RangeInclusive<i32> = -5..=13;

/// Why a value has no JSON form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SerializeError(String);

impl Display for SerializeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SerializeError {}

impl ser::Error for SerializeError {
    fn custom<T: Display>(message: T) -> SerializeError {
        SerializeError(message.to_string())
    }
}

impl From<SerializeError> for std::io::Error {
    fn from(error: SerializeError) -> std::io::Error {
        std::io::Error::other(error)
    }
}

#[cfg(feature = "serde_json")]
impl From<SerializeError> for serde_json::Error {
    fn from(error: SerializeError) -> serde_json::Error {
        ser::Error::custom(error)
    }
}

/// Writes values into memory.
#[derive(Default)]
pub(super) struct Json {
    pub(super) out: Vec<u8>,
    /// Whether a part came with a spelling, and perhaps whitespace, of its own.
    pub(super) has_raw: bool,
}

type Done = Result<(), SerializeError>;

impl Json {
    fn word(&mut self, word: &str) -> Done {
        self.out.extend_from_slice(word.as_bytes());
        Ok(())
    }

    fn open(&mut self, variant: Option<&str>, bracket: u8) -> Part<'_> {
        let mut closer = if bracket == b'[' { "]" } else { "}" };
        if let Some(variant) = variant {
            self.out.push(b'{');
            spell::text(&mut self.out, variant, false);
            self.out.push(b':');
            closer = if bracket == b'[' { "]}" } else { "}}" };
        }
        self.out.push(bracket);
        Part { json: self, is_first: true, closer, own: Own::No }
    }
}

macro_rules! numbers {
    ($($method:ident $type:ty => $spell:ident as $as:ty;)*) => {$(
        fn $method(self, value: $type) -> Done {
            spell::$spell(&mut self.out, <$as>::from(value));
            Ok(())
        }
    )*};
}

impl<'j> Serializer for &'j mut Json {
    type Ok = ();
    type Error = SerializeError;
    type SerializeSeq = Part<'j>;
    type SerializeTuple = Part<'j>;
    type SerializeTupleStruct = Part<'j>;
    type SerializeTupleVariant = Part<'j>;
    type SerializeMap = Part<'j>;
    type SerializeStruct = Part<'j>;
    type SerializeStructVariant = Part<'j>;

    numbers! {
        serialize_i8 i8 => signed as i64;
        serialize_i16 i16 => signed as i64;
        serialize_i32 i32 => signed as i64;
        serialize_i64 i64 => signed as i64;
        serialize_u8 u8 => unsigned as u64;
        serialize_u16 u16 => unsigned as u64;
        serialize_u32 u32 => unsigned as u64;
        serialize_u64 u64 => unsigned as u64;
    }

    fn serialize_i128(self, value: i128) -> Done {
        self.word(&value.to_string())
    }

    fn serialize_u128(self, value: u128) -> Done {
        self.word(&value.to_string())
    }

    fn serialize_f32(self, value: f32) -> Done {
        if !value.is_finite() {
            return self.serialize_unit();
        }
        spell::float(&mut self.out, value, PLAIN_32);
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Done {
        if !value.is_finite() {
            return self.serialize_unit();
        }
        spell::float(&mut self.out, value, PLAIN_64);
        Ok(())
    }

    fn serialize_bool(self, value: bool) -> Done {
        self.word(if value { "true" } else { "false" })
    }

    fn serialize_char(self, value: char) -> Done {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Done {
        spell::text(&mut self.out, value, false);
        Ok(())
    }

    fn serialize_bytes(self, value: &[u8]) -> Done {
        self.collect_seq(value)
    }

    fn serialize_none(self) -> Done {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        self.word("null")
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Done {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Done {
        self.out.push(b'{');
        spell::text(&mut self.out, variant, false);
        self.out.push(b':');
        value.serialize(&mut *self)?;
        self.word("}")
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Part<'j>, SerializeError> {
        Ok(self.open(None, b'['))
    }

    fn serialize_tuple(self, _: usize) -> Result<Part<'j>, SerializeError> {
        Ok(self.open(None, b'['))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Part<'j>, SerializeError> {
        Ok(self.open(None, b'['))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Part<'j>, SerializeError> {
        Ok(self.open(Some(variant), b'['))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Part<'j>, SerializeError> {
        Ok(self.open(None, b'{'))
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Part<'j>, SerializeError> {
        let own = match name {
            RAW_VALUE => Own::Raw,
            NUMBER => Own::Number,
            _ => return Ok(self.open(None, b'{')),
        };
        self.has_raw |= own == Own::Raw;
        Ok(Part { json: self, is_first: true, closer: "", own })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Part<'j>, SerializeError> {
        Ok(self.open(Some(variant), b'{'))
    }
}

/// An array or object that is being written.
pub(super) struct Part<'j> {
    json: &'j mut Json,
    is_first: bool,
    closer: &'static str,
    own: Own,
}

/// Whether what is written has its spelling already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Own {
    No,
    Raw,
    Number,
}

impl Part<'_> {
    fn separate(&mut self) {
        if !std::mem::replace(&mut self.is_first, false) {
            self.json.out.push(b',');
        }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        self.separate();
        value.serialize(&mut *self.json)
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &str, value: &T) -> Done {
        if self.own != Own::No {
            return value.serialize(Key { json: self.json, is_verbatim: true });
        }
        self.separate();
        spell::text(&mut self.json.out, key, false);
        self.json.out.push(b':');
        value.serialize(&mut *self.json)
    }

    fn close(self) -> Done {
        self.json.word(self.closer)
    }
}

macro_rules! parts {
    ($($trait:ident $method:ident;)*) => {$(
        impl ser::$trait for Part<'_> {
            type Ok = ();
            type Error = SerializeError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
                self.element(value)
            }

            fn end(self) -> Done {
                self.close()
            }
        }
    )*};
    (fields $($trait:ident;)*) => {$(
        impl ser::$trait for Part<'_> {
            type Ok = ();
            type Error = SerializeError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Done {
                self.field(key, value)
            }

            fn end(self) -> Done {
                self.close()
            }
        }
    )*};
}

parts! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}
parts! { fields
    SerializeStruct;
    SerializeStructVariant;
}

impl ser::SerializeMap for Part<'_> {
    type Ok = ();
    type Error = SerializeError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        self.separate();
        key.serialize(Key { json: self.json, is_verbatim: false })
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        self.json.out.push(b':');
        value.serialize(&mut *self.json)
    }

    fn end(self) -> Done {
        self.close()
    }
}
