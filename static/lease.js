// Holding a review: the clock, the heartbeat, and what others do to it meanwhile (F02).
const { one } = dom;
const PULSE = 60_000,
  INPUT_WITHIN = 300_000,
  WARN_AT = 120,
  POLL = 15_000,
  POLL_FAST = 2_000,
  FAST_FOR = 60_000;

let lastInput = Date.now();
for (const input of ["pointerdown", "keydown"])
  document.addEventListener(
    input,
    () => {
      lastInput = Date.now();
    },
    { capture: true, passive: true },
  );

function tick() {
  const lease = one("#lease[data-until]");
  if (!lease) return;
  const left = Math.max(0, Math.round((new Date(lease.dataset.until) - Date.now()) / 1000));
  one("[data-clock]", lease).textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  const ending = left <= WARN_AT;
  if (ending && lease.dataset.ending !== "true") one("#live").textContent = lease.dataset.warning;
  lease.dataset.ending = ending;
}
setInterval(tick, 1000);
tick();

setInterval(() => {
  const beat = one("#heartbeat");
  if (beat && !document.hidden && Date.now() - lastInput < INPUT_WITHIN) beat.dispatchEvent(new Event("heartbeat"));
}, PULSE);

// While a check runs the page asks every two seconds, for a minute; else every fifteen.
let asked = 0,
  fastSince = 0;
const ask = () => {
  const state = one("#state[hx-get]");
  if (!state || document.hidden) return;
  asked = Date.now();
  state.dispatchEvent(new Event("poll"));
};
setInterval(() => {
  const checking = one("#state [data-checking]");
  fastSince = checking ? fastSince || Date.now() : 0;
  const late = checking && Date.now() - fastSince > FAST_FOR;
  if (late) {
    checking.textContent = checking.dataset.late;
    checking.removeAttribute("data-checking");
  }
  if (Date.now() - asked >= (checking && !late ? POLL_FAST : POLL)) ask();
}, 1000);
document.addEventListener("visibilitychange", ask);
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.target.id === "state" && document.hidden) event.preventDefault();
});
asked = Date.now();
