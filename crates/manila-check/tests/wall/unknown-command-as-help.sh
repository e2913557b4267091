#!/bin/sh
# The flaw: a command that it does not know is taken for a call for help.

otherwise() {
    unknown_command() { help_root; }
}

. "${0%/*}/right.sh"
