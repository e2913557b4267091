#!/bin/sh
# The flaw: what is no number is as good as none.

otherwise() {
    invalid() { :; }
}

. "${0%/*}/right.sh"
