// The screens on which people set up their own account, and those that links in emails and providers lead to, in one script.

export { Connect } from "../auth/connect.tsx";
export { Enrol } from "../auth/enrol.tsx";
export { Invitation } from "../auth/invitation.tsx";
export { MagicLink } from "../auth/magic_link.tsx";
export { PasswordReset } from "../auth/password_reset.tsx";
export { Account } from "./account.tsx";
