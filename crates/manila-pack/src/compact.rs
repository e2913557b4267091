//! Reads the compact form in which the built-in packs are kept; `build/compact.rs` writes it and says what it is.
//!
//! A pack may be about a hundred programs. The rules of those that were not called are skipped, but for the name of
//! one program, which shows that they are not meant.

use serde::de::value::U64Deserializer;
use serde::de::{self, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use std::fmt;

/// A part of a pack, as the build script writes it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compact {
    pub(crate) values: &'static [u8],
    pub(crate) texts: &'static str,
}

impl Compact {
    /// The part; if a program is named, with no more of the rules of other programs than that they are not its own.
    pub(crate) fn read<T: Deserialize<'static>>(self, program: Option<&str>) -> Option<T> {
        T::deserialize(&mut Reader { compact: self, program, takes_first: false }).ok()
    }
}

/// A built-in pack, as the build script writes it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    /// What every call needs.
    pub(crate) calls: Compact,
    /// What only a failure needs: statuses, errors and cause.
    pub(crate) answers: Compact,
    /// Some rule looks at runs that ended with 0.
    pub(crate) reads_success: bool,
}

/// Where the reading stands.
struct Reader<'p> {
    compact: Compact,
    /// The called program.
    program: Option<&'p str>,
    /// Of a list only the first element is there.
    takes_first: bool,
}

/// Bytes that the build script does not write.
#[derive(Debug)]
struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a built-in pack is damaged")
    }
}

impl std::error::Error for Unreadable {}

impl de::Error for Unreadable {
    fn custom<T: fmt::Display>(_: T) -> Unreadable {
        Unreadable
    }
}

impl Reader<'_> {
    fn byte(&mut self) -> Result<u8, Unreadable> {
        let (first, rest) = self.compact.values.split_first().ok_or(Unreadable)?;
        self.compact.values = rest;
        Ok(*first)
    }

    fn number(&mut self) -> Result<u64, Unreadable> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Unreadable)
    }

    fn length(&mut self) -> Result<usize, Unreadable> {
        usize::try_from(self.number()?).map_err(|_| Unreadable)
    }

    fn text(&mut self) -> Result<&'static str, Unreadable> {
        let begins = self.length()?;
        let ends = begins.checked_add(self.length()?).ok_or(Unreadable)?;
        self.compact.texts.get(begins..ends).ok_or(Unreadable)
    }

    /// The next so many bytes, on their own.
    fn part(&mut self, length: usize) -> Result<Reader<'_>, Unreadable> {
        let (part, rest) = self.compact.values.split_at_checked(length).ok_or(Unreadable)?;
        self.compact.values = rest;
        let compact = Compact { values: part, ..self.compact };
        Ok(Reader { compact, program: self.program, takes_first: false })
    }

    /// A rule about programs of which the called one is none becomes one about the first of them, and nothing else.
    fn cut_to_program(&mut self) -> Result<(), Unreadable> {
        let Some(program) = self.program else { return Ok(()) };
        let whole = self.compact.values;
        // The programs are the first field, if there are any.
        let Some((0, rest)) = whole.split_first() else { return Ok(()) };
        let mut programs = Reader { compact: Compact { values: rest, ..self.compact }, ..*self };
        let mut first = None;
        for _ in 0..programs.length()? {
            if programs.text()? == program {
                return Ok(());
            }
            first = first.or(Some(whole.len() - programs.compact.values.len()));
        }
        if let Some(end) = first {
            self.compact.values = &whole[..end];
            self.takes_first = true;
        }
        Ok(())
    }
}

impl de::Deserializer<'static> for &mut Reader<'_> {
    type Error = Unreadable;

    fn deserialize_any<V: Visitor<'static>>(self, _: V) -> Result<V::Value, Unreadable> {
        Err(Unreadable)
    }

    fn deserialize_bool<V: Visitor<'static>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_bool(self.number()? != 0)
    }

    fn deserialize_i32<V: Visitor<'static>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        let folded = u32::try_from(self.number()?).map_err(|_| Unreadable)?;
        visitor.visit_i32((folded >> 1).cast_signed() ^ -(folded & 1).cast_signed())
    }

    fn deserialize_u64<V: Visitor<'static>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_u64(self.number()?)
    }

    fn deserialize_str<V: Visitor<'static>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_option<V: Visitor<'static>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.byte()? {
            0 => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'static>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'static>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        let length = self.length()?;
        let left = if self.takes_first { length.min(1) } else { length };
        visitor.visit_seq(Elements { reader: self, left })
    }

    fn deserialize_map<V: Visitor<'static>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        let left = self.length()?;
        visitor.visit_map(Elements { reader: self, left })
    }

    fn deserialize_struct<V: Visitor<'static>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        let length = self.length()?;
        let mut reader = self.part(length)?;
        if fields.first() == Some(&"program") {
            reader.cut_to_program()?;
        }
        visitor.visit_map(Fields(reader))
    }

    fn deserialize_enum<V: Visitor<'static>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unreadable> {
        let variant = u32::try_from(self.number()?).map_err(|_| Unreadable)?;
        visitor.visit_enum(variant.into_deserializer())
    }

    forward_to_deserialize_any! {
        <V: Visitor<'static>>
        i8 i16 i64 u8 u16 u32 f32 f64 char string bytes byte_buf unit unit_struct tuple tuple_struct identifier
        ignored_any
    }
}

/// A list, or a table of texts.
struct Elements<'r, 'p> {
    reader: &'r mut Reader<'p>,
    left: usize,
}

impl Elements<'_, '_> {
    fn next<S: DeserializeSeed<'static>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Unreadable> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

impl SeqAccess<'static> for Elements<'_, '_> {
    type Error = Unreadable;

    fn next_element_seed<S: DeserializeSeed<'static>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Unreadable> {
        self.next(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl MapAccess<'static> for Elements<'_, '_> {
    type Error = Unreadable;

    fn next_key_seed<S: DeserializeSeed<'static>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Unreadable> {
        self.next(seed)
    }

    fn next_value_seed<S: DeserializeSeed<'static>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, Unreadable> {
        seed.deserialize(&mut *self.reader)
    }
}

/// The fields of a structure, by their numbers.
struct Fields<'p>(Reader<'p>);

impl MapAccess<'static> for Fields<'_> {
    type Error = Unreadable;

    fn next_key_seed<S: DeserializeSeed<'static>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Unreadable> {
        if self.0.compact.values.is_empty() {
            return Ok(None);
        }
        seed.deserialize(U64Deserializer::new(u64::from(self.0.byte()?))).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'static>>(
        &mut self,
        seed: S,
    ) -> Result<S::Value, Unreadable> {
        seed.deserialize(&mut self.0)
    }
}
