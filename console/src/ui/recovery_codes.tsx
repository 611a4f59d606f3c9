import { save } from "../lib/index.ts";
import { Button } from "./button.tsx";
import { Copy } from "./copy.tsx";
import { Stored } from "./secret.tsx";

interface Props {
  codes: readonly string[];
  /** The address of the account, for the file and the paper. */
  email: string;
  /** The label of the button at the end, such as "Go on". */
  action: string;
  onStored: () => void;
}

/** For codes that the service made and whose answer was lost: it never shows them again. */
export const LOST_CODES = "Your recovery codes were lost on the way. Make new ones in your account.";

/** Shows recovery codes once: to copy, save or print. It asks before the person leaves without having stored them. */
export function RecoveryCodes({ codes, email, action, onStored }: Props) {
  const text = `Recovery codes for Overturn\n${email}\nEach code works once.\n\n${codes.join("\n")}\n`;
  return (
    <div class="stack">
      <p>
        Each code signs you in once if you do not have your phone. <strong>You see them only now.</strong> Keep them in a
        place that only you can open, and not on your phone.
      </p>
      <p class="only-print">{email}</p>
      <ul class="secret recovery-codes" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="bar">
        <Copy text={codes.join("\n")} label="Copy" />
        <Button onClick={() => save("overturn-recovery-codes.txt", text)}>Save as a file</Button>
        <Button onClick={() => print()}>Print</Button>
      </div>
      <Stored
        label="I stored the codes in a safe place"
        question="Leave without your recovery codes?"
        text="You cannot see them again. Without them, you cannot sign in if you lose your phone. You could only make new ones."
        action={action}
        onStored={onStored}
      />
    </div>
  );
}
