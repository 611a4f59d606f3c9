// What draws a QR code is large, and few dialogs show one.

export { encode } from "uqr";
