import { useEffect } from "preact/hooks";
import { destination, navigate, session } from "../../lib/index.ts";

/** `/`: leads each person to where they begin. */
export default function Start() {
  useEffect(() => navigate(session.value ? destination() : "/sign-in", { replace: true }), []);
  return null;
}
