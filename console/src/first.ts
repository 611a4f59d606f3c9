// The first script of a page. It loads little, so that it runs early.

import { startFirstRead } from "./lib/first_read.ts";

startFirstRead(location);
