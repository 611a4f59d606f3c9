// What the first load has besides the start: the frame, and the parts that most screens use. `build.mjs` puts all of it into
// one file, because every file takes a request.

import "./app.tsx";
import "./generated/rules.ts";
import "./lib/idle.ts";
import "./ui/choose.tsx";
import "./ui/claim_columns.tsx";
import "./ui/claim_parts.tsx";
import "./ui/combobox.tsx";
import "./ui/csv_download.tsx";
import "./ui/due.tsx";
import "./ui/empty.tsx";
import "./ui/fact.tsx";
import "./ui/figure.tsx";
import "./ui/file_name.tsx";
import "./ui/form.tsx";
import "./ui/form_dialog.tsx";
import "./ui/history.tsx";
import "./ui/notice.tsx";
import "./ui/number_search.tsx";
import "./ui/paged_table.tsx";
import "./ui/plain_table.tsx";
import "./ui/row_action.tsx";
import "./ui/secret.tsx";
import "./ui/section.tsx";
import "./ui/step_up.tsx";
import "./ui/table.tsx";
