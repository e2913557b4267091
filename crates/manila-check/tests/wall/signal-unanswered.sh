#!/bin/sh
# The flaw: a cancelled watch says nothing.

otherwise() {
    watch_signals() { trap - INT TERM; }
    run_watch() { exec sleep 60; }
}

. "${0%/*}/right.sh"
