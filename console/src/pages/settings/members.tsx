import { type Answer, del, get, patch, post } from "../../lib/api.ts";
import { ago, choicesOf, cursor, type Intent, leave, ownProblem, role, useGet, user, words } from "../../lib/index.ts";
import { limits, type PracticeRole } from "../../generated/rules.ts";
import {
  changingSetting, type Choice, ChoiceField, type Column, confirm, openForm, RowAction, TextField, toast,
} from "../../ui/index.ts";
import { SettingsList } from "./list.tsx";

type Member = Answer<"/api/v1/settings/members", "get">["members"][number];

const ROLES: Record<PracticeRole, string> = {
  owner: "Owner: may do everything, and ends agreements",
  admin: "Admin: runs the practice: people, keys and settings",
  member: "Member: works with claims and documents, such as a biller",
};

/** Only an owner can make another person an owner. */
const choices = (): readonly Choice[] =>
  choicesOf(ROLES).filter(([one]) => one !== "owner" || role.value === "owner");

export function Members() {
  const members = useGet("/api/v1/settings/members", { query: { cursor: cursor.value } });
  const after = (changed: boolean | undefined): void => {
    if (changed) members.reload();
  };
  // On a later page there may be other owners.
  const isLastOwner = (member: Member): boolean =>
    member.role === "owner" && !cursor.value && !members.data?.next_cursor && members.data?.members.filter(({ role, state }) => role === "owner" && state === "active").length === 1;
  const columns: Column<Member>[] = [
    { head: "Name", cell: (member) => <Name of={member} /> },
    { head: "Role", cell: (member) => words(member.role) },
    { head: "Sign-in", cell: (member) => <SignIn of={member} /> },
    { head: "Last seen", cell: ({ last_seen_at: at }) => (at ? ago(at) : "–") },
    {
      head: "Change",
      cell: (member) => (
        <div class="actions">
          {member.may.includes("change_role") && (
            <RowAction label="Role" of={nameOf(member)} run={async () => after(await changeRole(member))} />
          )}
          {member.may.includes("revoke_sessions") && member.state === "active" && (
            <RowAction
              label="Sign out"
              of={nameOf(member)}
              ask={{
                title: `Sign ${nameOf(member)} out?`,
                text: "All sessions of this person end now. They can sign in again.",
                action: "Sign out everywhere",
              }}
              run={(intent) => del("/api/v1/settings/members/{id}/sessions", { path: { id: member.id }, intent })}
              said="Signed out everywhere."
              then={members.reload}
            />
          )}
          {(member.may.includes("remove") || (isSelf(member) && isLastOwner(member))) && (
            <RowAction label={isSelf(member) ? "Leave" : "Remove"} of={nameOf(member)} run={async (intent) => after(await remove(member, isLastOwner(member), intent))} />
          )}
        </div>
      ),
    },
  ];
  return (
    <SettingsList
      title="Members"
      lead="Everyone who works with claims here has an account of their own."
      make={{ label: "Invite a person", needs: "manage_members", act: async () => after(await invite()) }}
      of={members}
      rows={(page) => page.members}
      columns={columns}
    />
  );
}

const isSelf = (member: Member): boolean => member.id === user.value?.id;
const nameOf = (member: Member): string => member.name ?? member.email;

function Name({ of }: { of: Member }) {
  return (
    <>
      {nameOf(of)}
      {isSelf(of) && <span class="quiet-text"> (you)</span>}
      {of.name !== null && <div class="quiet-text">{of.email}</div>}
    </>
  );
}

function SignIn({ of }: { of: Member }) {
  if (of.state === "invited") return <span class="tag info">Invited</span>;
  return of.two_factor ? <span class="tag good">With second factor</span> : <span class="tag warn">No second factor yet</span>;
}

async function remove(member: Member, isLastOwner: boolean, intent: Intent): Promise<boolean> {
  if (isLastOwner) throw ownProblem("last_owner", "First make another person an owner: choose Role beside their name.");
  const question = isSelf(member)
    ? { title: "Leave the practice?", text: "You lose access now. Only an owner or an admin can invite you again.", action: "Leave the practice" }
    : {
        title: `Remove ${nameOf(member)}?`,
        text: "This person loses access now. API keys that they made go on working: look at API keys, and revoke what you do not know.",
        action: "Remove the member",
      };
  if (!(await confirm({ ...question, danger: true }))) return false;
  await del("/api/v1/settings/members/{id}", { path: { id: member.id }, intent });
  if (isSelf(member)) leave("signed-out");
  else toast("Removed.");
  return !isSelf(member);
}

const invite = (): Promise<boolean | undefined> =>
  openForm({
    title: "Invite a person",
    lead: "They get an email with a link. A second invitation to the same address replaces the first, with the same role.",
    submit: "Send the invitation",
    act: async (values, intent) => {
      const body = { email: values.text("email"), role: values.text("role") as PracticeRole };
      await post("/api/v1/settings/members", { body, intent });
      toast("The invitation is on its way.");
      return true;
    },
    children: (
      <>
        <TextField name="email" label="Email address" type="email" required maxLength={limits.email} autocomplete="off" autofocus />
        <ChoiceField name="role" label="Role" kind="radio" choices={choices()} value={["member"]} required />
      </>
    ),
  });

/** The member as the list has it now. */
async function readAgain({ id }: Member): Promise<Member> {
  const { members } = await get("/api/v1/settings/members", { query: { cursor: cursor.peek() } });
  const found = members.find((one) => one.id === id);
  if (!found) throw ownProblem("refused", "This person is no longer in the list. Load it again.");
  return found;
}

const changeRole = (of: Member): Promise<boolean | undefined> =>
  openForm({
    title: `Role of ${nameOf(of)}`,
    lead: `${isSelf(of) ? "You have" : "The person has"} to sign in again.`,
    submit: "Change the role",
    act: async (values, intent) => {
      const body = { role: values.text("role") as PracticeRole };
      const watched = { noun: "member", read: () => readAgain(of), facts: ({ role }: Member) => ({ Role: words(role) }) };
      await changingSetting(of, watched, (version) => patch("/api/v1/settings/members/{id}", { path: { id: of.id }, body, version, intent }));
      toast("The role is changed.");
      return true;
    },
    children: <ChoiceField name="role" label="Role" kind="radio" choices={choices()} value={[of.role]} required />,
  });
