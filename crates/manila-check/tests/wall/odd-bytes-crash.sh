#!/bin/sh
# The flaw: what is not ASCII cannot be printed, and the error is not handled.

otherwise() {
    run_show() {
        case $1 in
        *[!\ -~]*)
            printf 'Traceback (most recent call last):\n  File "notes.py", line 4, in show\nUnicodeEncodeError\n' >&2
            finish 1
            ;;
        esac
        wanted=$1
        each_note show_one
        fail_missing "$wanted"
    }
}

. "${0%/*}/right.sh"
