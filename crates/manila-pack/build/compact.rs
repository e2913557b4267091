//! Writes the compact form of a pack: the values in one list of bytes, the texts in another, each text once.
//!
//! Numbers are varints. A text is where it begins among the texts, and its length; a list is its length and its
//! elements; a structure is the length of what follows in bytes, and each field that is not empty as its number and
//! its value. `src/compact.rs` reads it.

use serde::Serialize;
use serde::ser::{self, Impossible, SerializeMap, SerializeSeq, SerializeStruct};
use std::collections::HashMap;
use std::fmt;

/// A part of a pack in its compact form.
#[derive(Default)]
pub(crate) struct Compact {
    values: Vec<u8>,
    texts: String,
    known: HashMap<String, usize>,
    /// What was written last is the default of its type.
    is_default: bool,
}

impl Compact {
    pub(crate) fn of(part: &impl Serialize) -> Result<Compact, Unwritable> {
        let mut compact = Compact::default();
        part.serialize(&mut compact)?;
        Ok(compact)
    }

    /// A number, which is the default of its type if it is zero.
    fn plain(&mut self, number: u64) {
        self.number(number);
        self.is_default = number == 0;
    }

    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.values.push(number.to_le_bytes()[0] | 0x80);
            number >>= 7;
        }
        self.values.push(number.to_le_bytes()[0]);
    }

    fn length(&mut self, length: usize) -> Result<(), Unwritable> {
        self.number(u64::try_from(length).map_err(ser::Error::custom)?);
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), Unwritable> {
        let begins = self.known.get(text).copied().unwrap_or_else(|| {
            let begins = self.texts.len();
            self.texts.push_str(text);
            self.known.insert(text.to_owned(), begins);
            begins
        });
        self.length(begins)?;
        self.length(text.len())?;
        self.is_default = text.is_empty();
        Ok(())
    }
}

/// As an expression of Rust.
impl fmt::Display for Compact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values = self.values.escape_ascii();
        write!(f, "Compact {{ values: b\"{values}\", texts: {:?} }}", self.texts)
    }
}

/// Why a part of a pack cannot be written.
#[derive(Debug)]
pub(crate) struct Unwritable(String);

impl fmt::Display for Unwritable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unwritable {}

impl ser::Error for Unwritable {
    fn custom<T: fmt::Display>(message: T) -> Unwritable {
        Unwritable(message.to_string())
    }
}

/// What the format of packs does not use.
macro_rules! unused {
    ($($name:ident($type:ty)),* $(,)?) => {
        $(fn $name(self, _: $type) -> Result<(), Unwritable> {
            Err(ser::Error::custom(stringify!($name)))
        })*
    };
}

impl<'c> ser::Serializer for &'c mut Compact {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Elements<'c>;
    type SerializeTuple = Impossible<(), Unwritable>;
    type SerializeTupleStruct = Impossible<(), Unwritable>;
    type SerializeTupleVariant = Impossible<(), Unwritable>;
    type SerializeMap = Elements<'c>;
    type SerializeStruct = Fields<'c>;
    type SerializeStructVariant = Impossible<(), Unwritable>;

    unused!(
        serialize_i8(i8),
        serialize_i16(i16),
        serialize_i64(i64),
        serialize_u8(u8),
        serialize_u16(u16),
        serialize_u32(u32),
        serialize_f32(f32),
        serialize_f64(f64),
        serialize_char(char),
        serialize_bytes(&[u8]),
        serialize_unit_struct(&'static str),
    );

    fn serialize_bool(self, value: bool) -> Result<(), Unwritable> {
        self.plain(u64::from(value));
        Ok(())
    }

    fn serialize_i32(self, value: i32) -> Result<(), Unwritable> {
        // Statuses are small and seldom negative.
        self.plain(u64::from(((value << 1) ^ (value >> 31)).cast_unsigned()));
        Ok(())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Unwritable> {
        self.plain(value);
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<(), Unwritable> {
        self.text(text)
    }

    fn serialize_none(self) -> Result<(), Unwritable> {
        self.plain(0);
        Ok(())
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Unwritable> {
        self.number(1);
        value.serialize(&mut *self)?;
        self.is_default = false;
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), Unwritable> {
        Err(ser::Error::custom("unit"))
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        variant: u32,
        _: &'static str,
    ) -> Result<(), Unwritable> {
        self.number(u64::from(variant));
        // Which of them is the default is not said here.
        self.is_default = false;
        Ok(())
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<(), Unwritable> {
        Err(ser::Error::custom("newtype variant"))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Elements<'c>, Unwritable> {
        let length = length.ok_or_else(|| Unwritable("a list of no length".to_owned()))?;
        self.length(length)?;
        Ok(Elements { compact: self, is_none: length == 0 })
    }

    fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple, Unwritable> {
        Err(ser::Error::custom("tuple"))
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct, Unwritable> {
        Err(ser::Error::custom("tuple struct"))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unwritable> {
        Err(ser::Error::custom("tuple variant"))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Elements<'c>, Unwritable> {
        self.serialize_seq(length)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Fields<'c>, Unwritable> {
        Ok(Fields { own: Vec::new(), number: 0, compact: self })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Unwritable> {
        Err(ser::Error::custom("struct variant"))
    }
}

/// A list while it is written.
pub(crate) struct Elements<'c> {
    compact: &'c mut Compact,
    is_none: bool,
}

impl SerializeSeq for Elements<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Unwritable> {
        value.serialize(&mut *self.compact)
    }

    fn end(self) -> Result<(), Unwritable> {
        self.compact.is_default = self.is_none;
        Ok(())
    }
}

impl SerializeMap for Elements<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Result<(), Unwritable> {
        key.serialize(&mut *self.compact)
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Unwritable> {
        value.serialize(&mut *self.compact)
    }

    fn end(self) -> Result<(), Unwritable> {
        self.compact.is_default = self.is_none;
        Ok(())
    }
}

/// The fields of a structure while they are written.
pub(crate) struct Fields<'c> {
    compact: &'c mut Compact,
    own: Vec<u8>,
    number: u8,
}

impl SerializeStruct for Fields<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: ?Sized + Serialize>(
        &mut self,
        _: &'static str,
        value: &T,
    ) -> Result<(), Unwritable> {
        let outer = std::mem::take(&mut self.compact.values);
        let done = value.serialize(&mut *self.compact);
        let written = std::mem::replace(&mut self.compact.values, outer);
        done?;
        if !self.compact.is_default {
            self.own.push(self.number);
            self.own.extend(written);
        }
        self.number += 1;
        Ok(())
    }

    fn end(self) -> Result<(), Unwritable> {
        self.compact.length(self.own.len())?;
        self.compact.is_default = self.own.is_empty();
        self.compact.values.extend(self.own);
        Ok(())
    }
}
