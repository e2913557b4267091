#!/bin/sh
# The flaw: the list is cut, and nothing says so.

otherwise() {
    limit=2
    page() {
        if [ -z "$json" ]; then finish 0; fi
        succeed "{\"items\":[$items],\"total\":$count}"
    }
}

. "${0%/*}/right.sh"
