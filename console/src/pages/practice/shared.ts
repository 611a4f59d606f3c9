// What several screens of this folder use. `build.mjs` puts it into one file.

import "./attached.tsx";
import "./record.tsx";
import "./sections.tsx";
import "./words.ts";
