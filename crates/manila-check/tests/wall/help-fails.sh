#!/bin/sh
# The flaw: one command has no page.

otherwise() {
    help_dump() { finish 0; }
}

. "${0%/*}/right.sh"
