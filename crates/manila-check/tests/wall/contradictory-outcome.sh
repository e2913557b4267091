#!/bin/sh
# The flaw: a rate limit is reported in a success.

otherwise() {
    run_config_show() {
        error_object RATE_LIMITED 'too many calls'
        envelope true '{"limit":20,"colour":"never"}' "$error"
        finish 0
    }
}

. "${0%/*}/right.sh"
