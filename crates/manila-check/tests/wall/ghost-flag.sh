#!/bin/sh
# The flaw: the manifest names a flag that was taken out.

otherwise() {
    list_flags="$list_flags,{\"name\":\"sort\",\"long\":\"sort\",\"value_name\":\"KEY\",\"type\":\"string\",\"required\":false}"
}

. "${0%/*}/right.sh"
