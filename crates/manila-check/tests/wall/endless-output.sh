#!/bin/sh
# The flaw: the dump never ends.

otherwise() {
    run_dump() {
        line=0123456789abcdef
        while [ ${#line} -lt 65536 ]; do line=$line$line; done
        while printf %s "$line"; do :; done
    }
}

. "${0%/*}/right.sh"
