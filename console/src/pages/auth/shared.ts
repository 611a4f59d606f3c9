// What several screens of this folder use. `build.mjs` puts it into one file.

import "./arrive.tsx";
import "./dead_link.tsx";
import "./mail_request.tsx";
import "./providers.tsx";
