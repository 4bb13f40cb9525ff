// What the home page shows beside its title: one award, and the response.
import { h } from "vue";

const REQUEST = `curl "$API/v0/clans/demo/members/player-1/xp" \\
  -H "Authorization: Bearer $KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: match-80/win/player-1" \\
  -d '{"amount": 150, "reason": "won a match"}'`;
const RESPONSE = `{ "platformId": "player-1", "xp": "150", "rank": "Recruit" }`;

export function AwardExample() {
  return h("div", { class: "award-example" }, [
    h("pre", { tabindex: 0, role: "region", "aria-label": "An award" }, h("code", REQUEST)),
    h("pre", { tabindex: 0, role: "region", "aria-label": "Its response" }, h("code", RESPONSE)),
    h("p", "Sent again with the same key, it counts once."),
  ]);
}
