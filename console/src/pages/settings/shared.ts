// What several screens of this folder use. `build.mjs` puts it into one file.

import "./credentials.tsx";
import "./frame.tsx";
