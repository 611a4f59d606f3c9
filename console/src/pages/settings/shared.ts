// What several screens of this folder use. `build.mjs` puts it into one file.

import "./list.tsx";
import "./frame.tsx";
