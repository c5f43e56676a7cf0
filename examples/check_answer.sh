#!/bin/sh
# Have an answer checked and print the reply; needs curl alone.
#   HALLU_URL=http://localhost:8000 HALLU_KEY=... sh check_answer.sh < answer.json
# Waits up to ten seconds for the result (200); later it is at the Location of the 202.
set -eu
exec curl --silent --show-error --fail-with-body --max-time 30 \
    --header "Authorization: Bearer $HALLU_KEY" \
    --header "Content-Type: application/json" \
    --header "Prefer: wait=10" \
    --data-binary @- \
    "${HALLU_URL%/}/api/v1/answers/"
