// What several screens of this folder use. `build.mjs` puts it into one file.

import "./back.tsx";
import "./names.ts";
import "./practice_filter.tsx";
import "./work.tsx";
import "./queue_tiles.tsx";
