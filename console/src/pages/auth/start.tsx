import { useEffect } from "preact/hooks";
import { navigate } from "../../lib/router.ts";
import { destination, session } from "../../lib/session.ts";

/** `/`: leads each person to where they begin. */
export default function Start() {
  useEffect(() => navigate(session.value ? destination() : "/sign-in", { replace: true }), []);
  return null;
}
