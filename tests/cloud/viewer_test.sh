#!/usr/bin/env bash
# The viewer in headless Chromium draws, fills its legend, and prints nothing on the console.
# Usage: viewer_test.sh HEDDLE; exits 77 without Chromium. HEDDLE_SCREENSHOT names a PNG to look at afterwards.
set -euo pipefail
heddle=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
browser=
for candidate in chromium chromium-browser google-chrome; do
  command -v "$candidate" >/dev/null && browser=$candidate && break
done
[[ -n $browser ]] || { echo "skipped: Chromium is not installed"; exit 77; }

fail() {
  echo "FAILED: $*"
  exit 1
}
"$heddle" cluster --demo --points 30000 --view "$scratch/page.html" --stats "$scratch/stats.csv" >"$scratch/summary"
# After each frame, the page stores how many colours it has drawn.
spy='<script>const ask = window.requestAnimationFrame; window.requestAnimationFrame = draw => ask(time => { draw(time);
const canvas = document.getElementById("canvas"), gl = canvas.getContext("webgl");
const pixels = new Uint8Array(4 * canvas.width * canvas.height);
gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
document.body.dataset.colours = new Set(new Uint32Array(pixels.buffer)).size; });</script>'
page=$(<"$scratch/page.html")
printf '%s\n' "${page/<header>/"$spy"<header>}" >"$scratch/page.html"
# If there is no WebGL, the page shows a sentence about it.
browse() { # options…
  timeout 200 "$browser" --headless --no-sandbox --disable-dev-shm-usage --user-data-dir="$scratch/profile" \
    --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader --ignore-gpu-blocklist --enable-logging=stderr \
    --window-size=1280,800 --virtual-time-budget=4000 "$@" "file://$scratch/page.html" 2>"$scratch/messages"
}
browse --dump-dom >"$scratch/dom" || fail "the browser ended with $?: $(tail -n 3 "$scratch/messages")"
! grep CONSOLE "$scratch/messages" || fail "the page has said something on the console"
if grep -q '<p id="failure">' "$scratch/dom"; then
  echo "skipped: this browser has no WebGL"
  exit 77
fi
# Label and size of the largest cluster, from the statistics.
largest=$(tail -n +2 "$scratch/stats.csv" | sort -t, -k3,3nr -k2,2n | head -n 1)
IFS=, read -r _ number size _ <<<"$largest"
legend=$(grep -o '<aside.*</aside>' "$scratch/dom" | sed 's/<[^>]*>/ /g; s/,//g')
[[ $legend =~ cluster\ $number\ +$size\  ]] ||
  fail "the legend has no cluster $number of $size points: $legend"
[[ $(<"$scratch/dom") =~ data-colours=\"([0-9]+)\" ]] || fail "nothing was drawn"
# The background has one colour, and each cluster has another.
clusters=$(($(wc -l <"$scratch/stats.csv") - 1))
((BASH_REMATCH[1] > clusters)) || fail "${BASH_REMATCH[1]} colours are drawn for $clusters clusters"
if [[ -n ${HEDDLE_SCREENSHOT:-} ]]; then
  browse --screenshot="$HEDDLE_SCREENSHOT" >/dev/null || fail "no picture was made"
fi
echo "all as expected"
