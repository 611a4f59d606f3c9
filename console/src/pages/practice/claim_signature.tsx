import { type Answer, get } from "../../lib/api.ts";
import { isOpen, LINK_SETTING, may, plural, time } from "../../lib/index.ts";
import { Copy, Dialog, DialogEnd, openWith, QrCode, RowAction, Section, SigningTag } from "../../ui/index.ts";
import { SIGNING_MEANS } from "./words.ts";

type Denial = Answer<"/api/v1/denials/{id}", "get">;
type Link = Answer<"/api/v1/denials/{id}/signing_link", "get">;

/** Whether the patient has to sign, and the way to the page for it. */
export function Signature({ of }: { of: Denial }) {
  const { signing, status } = of;
  return (
    <Section title="Patient's signature">
      <p>
        <SigningTag of={signing.status} isDead={signing.link_expires_at === null && isOpen(status)} />
      </p>
      <p>{SIGNING_MEANS[signing.status]}</p>
      {signing.status === "needed" && isOpen(status) && <LinkOfPatient of={of} />}
    </Section>
  );
}

function LinkOfPatient({ of: { id, signing } }: { of: Denial }) {
  const show = async (): Promise<void> => openWith(LinkDialog, { of: await get("/api/v1/denials/{id}/signing_link", { path: { id } }) });
  if (signing.link_expires_at === null) {
    return <p>The link for the patient no longer works: it expired, was revoked, or was tried with too many wrong dates of birth. Our staff sees this and makes a new one.</p>;
  }
  if (!signing.appeal_button) {
    return (
      <p>
        The patient signs on a page of ours. You get the link to it while “{LINK_SETTING}” is on, and it is off.{" "}
        {may("edit_practice") ? <a href="/settings/practice">Switch it on in Settings</a> : "An owner or an admin of your practice can switch it on in Settings."}
      </p>
    );
  }
  return (
    <>
      <p>The patient signs on a page of ours, on a phone or a computer. Your billing system can show the link to it as well.</p>
      <div class="bar no-print">
        <RowAction label="Show the link for the patient" look="primary" run={show} />
      </div>
      <p class="quiet-text">The link works until {time(signing.link_expires_at)}. Your audit trail records who shows it.</p>
    </>
  );
}

const SUBJECT = "Please sign for your insurance appeal";
const message = (link: string): string => `Your insurer did not pay for your care. We want to appeal. Please read and sign here: ${link}`;

/** The ways to give the link to a patient. A message goes out from the person's own mail or phone, so no address comes to us. */
function LinkDialog({ of: { link, expires_at, tries_left }, onClose }: { of: Link; onClose: () => void }) {
  const body = encodeURIComponent(message(link));
  return (
    <Dialog title="Link for the patient" onCancel={onClose}>
      <p>The page asks for the patient’s date of birth first. Give the link to the patient, or to the person who may sign for them.</p>
      <QrCode text={link} label="The link for the patient" />
      <p class="secret">
        <code>{link}</code>
      </p>
      <div class="bar no-print">
        <Copy text={link} />
        <a href={`mailto:?subject=${encodeURIComponent(SUBJECT)}&body=${body}`}>Write an email</a>
        <a href={`sms:?&body=${body}`}>Write a text message</a>
      </div>
      <p class="quiet-text">
        It works until {time(expires_at)}. {plural(tries_left, "wrong date of birth", "wrong dates of birth")} would end it.
      </p>
      <DialogEnd onClose={onClose} canPrint />
    </Dialog>
  );
}
