//! The rules about the payload: fields, types, presence, formats.

use super::{Family, Impact, Rule, rows};

rows! {
    Family::Data;
    FIELD_REMOVED = "field-removed", "field-added", [Breaking, Breaking, Breaking], "A field is gone.", "Keep the field.";
    FIELD_ADDED = "field-added", "field-removed", [Breaking, Compatible, Compatible], "There is a new field.", "Nothing to do.";
    FIELD_RENAMED = "field-renamed", "field-renamed", [Breaking, Breaking, Breaking], "A field has another name.", "Write both names for a while.";
    FIELD_MOVED = "field-moved", "field-moved", [Breaking, Breaking, Breaking], "A field moved to another object.", "Write both for a while.";
    TYPE_CHANGED = "type-changed", "type-changed", [Breaking, Breaking, Breaking], "A field has another type.", "Put the new type into a new field.";
    TYPE_WIDENED = "type-widened", "type-narrowed", [Breaking, Breaking, Human], "A field may have another type as well.", "Keep one type.";
    TYPE_NARROWED = "type-narrowed", "type-widened", [Compatible, Compatible, Compatible], "A field no longer has one of its types.", "Nothing to do.";
    INTEGER_BECAME_NUMBER = "integer-became-number", "number-became-integer", [Human, Human, Compatible], "A number that was whole may have a fraction.", "Keep it whole, or announce the change.";
    NUMBER_BECAME_INTEGER = "number-became-integer", "integer-became-number", [Compatible, Compatible, Compatible], "A number is always whole.", "Nothing to do.";
    NUMBER_BECAME_STRING = "number-became-string", "string-became-number", [Breaking, Breaking, Breaking], "A number is written as a string.", "Keep the number.";
    STRING_BECAME_NUMBER = "string-became-number", "number-became-string", [Breaking, Breaking, Breaking], "A string is written as a number.", "Keep the string.";
    SCALAR_BECAME_ARRAY = "scalar-became-array", "array-became-scalar", [Breaking, Breaking, Breaking], "A single value became an array.", "Put the array into a new field.";
    ARRAY_BECAME_SCALAR = "array-became-scalar", "scalar-became-array", [Breaking, Breaking, Breaking], "An array became a single value.", "Keep the array with one element.";
    ARRAY_BECAME_OBJECT = "array-became-object", "object-became-array", [Breaking, Breaking, Breaking], "An array became an object.", "Put the object into a new field.";
    OBJECT_BECAME_ARRAY = "object-became-array", "array-became-object", [Breaking, Breaking, Breaking], "An object became an array.", "Put the array into a new field.";
    SCALAR_BECAME_OBJECT = "scalar-became-object", "object-became-scalar", [Breaking, Breaking, Breaking], "A single value became an object.", "Put the object into a new field.";
    OBJECT_BECAME_SCALAR = "object-became-scalar", "scalar-became-object", [Breaking, Breaking, Breaking], "An object became a single value.", "Keep the object.";
    BECAME_NULLABLE = "became-nullable", "no-longer-nullable", [Breaking, Breaking, Human], "A field may be null.", "Leave it out, or keep a value.";
    NO_LONGER_NULLABLE = "no-longer-nullable", "became-nullable", [Compatible, Compatible, Compatible], "A field is never null.", "Nothing to do.";
    ALWAYS_NULL_NOW = "always-null-now", "no-longer-always-null", [Breaking, Breaking, Human], "A field is null in every sample.", "Check whether it lost its value.";
    NO_LONGER_ALWAYS_NULL = "no-longer-always-null", "always-null-now", [Human, Compatible, Compatible], "A field that was null in every sample has a value.", "Nothing to do.";
    NULL_BECAME_ABSENT = "null-became-absent", "absent-became-null", [Breaking, Human, Human], "A field that was null is left out.", "Keep writing null.";
    ABSENT_BECAME_NULL = "absent-became-null", "null-became-absent", [Breaking, Human, Human], "A field that was left out is null.", "Keep leaving it out.";
    BECAME_OPTIONAL = "became-optional", "became-always", [Breaking, Breaking, Human], "A field is not always there.", "Keep it, as null where there is no value.";
    BECAME_ALWAYS = "became-always", "became-optional", [Compatible, Compatible, Compatible], "A field is always there.", "Nothing to do.";
    RECORD_BECAME_MAP = "record-became-map", "map-became-record", [Human, Human, Human], "An object with fixed fields has keys that are data.", "Check the fields that readers use.";
    MAP_BECAME_RECORD = "map-became-record", "record-became-map", [Human, Human, Human], "An object whose keys were data has fixed fields.", "Check the readers that iterate.";
    FORMAT_CHANGED = "format-changed", "format-changed", [Breaking, Breaking, Breaking], "A string is in another format.", "Put the new format into a new field.";
    FORMAT_LOST = "format-lost", "format-gained", [Human, Human, Compatible], "A string is no longer always in its format.", "Keep the format.";
    FORMAT_GAINED = "format-gained", "format-lost", [Compatible, Compatible, Compatible], "A string is always in a format.", "Nothing to do.";
    BECAME_VOLATILE = "became-volatile", "became-stable", [Human, Human, Human], "A value differs between equal calls.", "Keep values stable between equal calls.";
    BECAME_STABLE = "became-stable", "became-volatile", [Compatible, Compatible, Compatible], "A value no longer differs between equal calls.", "Nothing to do.";
    LIST_NOW_EMPTY = "list-now-empty", "list-now-filled", [Human, Human, Human], "A list has no elements in any sample.", "Check whether it lost its elements.";
    LIST_NOW_FILLED = "list-now-filled", "list-now-empty", [Compatible, Compatible, Compatible], "A list that had no elements has some.", "Nothing to do.";
    ENUM_VALUE_REMOVED = "enum-value-removed", "enum-value-added", [Compatible, Compatible, Human], "A declared value no longer occurs.", "Nothing to do.";
    ENUM_VALUE_ADDED = "enum-value-added", "enum-value-removed", [Breaking, Compatible, Compatible], "There is another declared value.", "Announce the value.";
    ENUM_CLOSED = "enum-closed", "enum-opened", [Compatible, Compatible, Compatible], "The values of a field are declared.", "Nothing to do.";
    ENUM_OPENED = "enum-opened", "enum-closed", [Breaking, Human, Compatible], "The values of a field are no longer declared.", "Keep the declaration.";
    SECRET_APPEARED = "secret-appeared", "secret-gone", [Breaking, Breaking, Breaking], "An answer contains a credential.", "Mask it.";
    SECRET_GONE = "secret-gone", "secret-appeared", [Compatible, Compatible, Compatible], "A credential is gone from an answer.", "Nothing to do.";
}
