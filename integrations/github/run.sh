#!/usr/bin/env bash
# Runs a suite, compares it with the newest run of the default branch, and writes the report and the comment.
# Everything comes from environment variables, which action.yml sets. Writes exit-code, run and folder to $GITHUB_OUTPUT;
# ends with 0 if there is a run, so that the comment is written before a failed gate fails the build.
set -euo pipefail

read -r -a benchmaker <<< "${BENCHMAKER_COMMAND:-npx --yes benchmaker@0.1.0}"
data="${BENCHMAKER_DATA:-.benchmaker}"
folder="${REPORT_FOLDER:-benchmaker-report${REPORT_NAME:+-${REPORT_NAME//[^A-Za-z0-9._-]/-}}}"
branch="${GITHUB_REF_NAME:-}"
mkdir -p "$folder"

# Prints a field of a JSON document on standard input: `field runs 0 id`.
field() {
  node -e '
    const value = process.argv.slice(1).reduce((part, key) => part?.[key], JSON.parse(require("node:fs").readFileSync(0, "utf8")))
    process.stdout.write(value === undefined || value === null ? "" : String(value))' "$@"
}

# Tags have at most 50 characters and no commas; of a path its end tells most.
tag_branch() {
  local tag="branch:${1//,/-}"
  printf '%s' "${tag:0:50}"
}
suite_tag="${SUITE//,/-}"
[ "${#suite_tag}" -gt 44 ] && suite_tag="${suite_tag: -44}"
suite_tag="suite:$suite_tag"

baseline="${BASELINE:-}"
if [ -z "$baseline" ] && [ -n "${DEFAULT_BRANCH:-}" ] && [ "$branch" != "$DEFAULT_BRANCH" ]; then
  baseline="$("${benchmaker[@]}" list --data "$data" --tag "$(tag_branch "$DEFAULT_BRANCH"),$suite_tag" --limit 1 --json | field runs 0 id || true)"
fi

options=(--models "$MODELS" --data "$data" --json)
options+=(--out "$folder/report.html" --out "$folder/results.xml")
[ -n "$branch" ] && suite_tag="$(tag_branch "$branch"),$suite_tag"
options+=(--tag "$suite_tag")
[ -n "${JUDGE:-}" ] && options+=(--judge "$JUDGE")
[ -n "${FAIL_UNDER:-}" ] && options+=(--fail-under "$FAIL_UNDER")
[ -n "${ALLOW_MISSING:-}" ] && options+=(--allow-missing "$ALLOW_MISSING")
[ -n "${MAX_COST:-}" ] && options+=(--max-cost "$MAX_COST")
[ "${USE_CACHE:-true}" = true ] && options+=(--cache)
[ -n "$baseline" ] && options+=(--baseline "$baseline")
# Words of the user's own, split at blanks.
read -r -a more <<< "${ARGUMENTS:-}"

code=0
"${benchmaker[@]}" run "$SUITE" "${options[@]}" ${more[@]+"${more[@]}"} > "$folder/results.json" || code=$?
run="$(field runs 0 id < "$folder/results.json" || true)"
{
  echo "exit-code=$code"
  echo "run=$run"
} >> "${GITHUB_OUTPUT:-/dev/stdout}"
# Invalid usage: there is no run to report.
if [ -z "$run" ]; then exit "$code"; fi
echo "folder=$folder" >> "${GITHUB_OUTPUT:-/dev/stdout}"

# A baseline that cannot be compared, such as one without a common case, must not cost the comment.
if [ -z "$baseline" ] ||
  ! "${benchmaker[@]}" compare "$baseline" "$run" --data "$data" --out "$folder/comparison.html" "$folder/comment.pr.md" > /dev/null; then
  "${benchmaker[@]}" export "$run" --data "$data" --format pr-comment > "$folder/comment.pr.md"
fi
mv "$folder/comment.pr.md" "$folder/comment.md"
cat "$folder/comment.md" >> "${GITHUB_STEP_SUMMARY:-/dev/null}"
