#!/bin/sh
# The flaw: what is no flag is passed over.

otherwise() {
    unknown_flag() { :; }
}

. "${0%/*}/right.sh"
