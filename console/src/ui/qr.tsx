import { loadPart, useLoad } from "../lib/index.ts";
import { ProblemView } from "./problem.tsx";

/** A QR code, dark on light in every look: cameras do not read the reverse. `label` says what it holds. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = useLoad(async () => (await loadPart(import("./qr_code.ts"))).encode(text, { border: 4 }), [text]);
  if (!code.data) return <ProblemView problem={code.problem} onRetry={code.reload} />;
  const { data, size } = code.data;
  const rows = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")).join("")).join("");
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#ffffff" />
      <path d={rows} fill="#000000" />
    </svg>
  );
}
