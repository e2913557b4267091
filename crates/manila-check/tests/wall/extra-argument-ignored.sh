#!/bin/sh
# The flaw: whatever stands behind a complete call is passed over.

otherwise() {
    unexpected() { :; }
}

. "${0%/*}/right.sh"
