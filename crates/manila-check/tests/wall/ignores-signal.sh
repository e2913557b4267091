#!/bin/sh
# The flaw: neither signal ends a watch.

otherwise() {
    watch_signals() { trap "" INT TERM; }
}

. "${0%/*}/right.sh"
