// A record that is open, and changes of it. A change that meets a newer version is never sent again by itself.

import type { ComponentChildren } from "preact";
import { type Loaded, type Params, type Problem, useLoad } from "../../lib/index.ts";
import { changerOf, Loading, Page, ProblemView } from "../../ui/index.ts";

/** The parameters of a record's paths. */
export interface Path {
  practice: string;
  id: string;
}

/** A kind of records with versions. */
export interface Kind<R> {
  noun: string;
  read: (path: Path, signal?: AbortSignal) => Promise<R>;
  changes: (before: R, now: R) => ComponentChildren;
  /** Whether a refusal may come from a change of others, if not only another version does. */
  isStale?: (problem: Problem) => boolean;
}

interface Versioned {
  id: string;
  version: number;
  practice: { id: string; name: string };
  may: readonly string[];
}

/** The open record, with a way to change it. */
export interface Work<R extends Versioned> {
  of: R;
  path: Path;
  may: (action: R["may"][number]) => boolean;
  /** Sends a change with the version that the person has seen, and reads the record again. */
  change: <T>(send: (version: number, seen: R) => Promise<T>) => Promise<T>;
  /** Reads the record again. For a claim, the practice's audit trail records that. */
  reload: () => void;
  set: (now: R) => void;
}

function workOn<R extends Versioned>(kind: Kind<R>, found: R, loaded: Loaded<R>): Work<R> {
  const path = { practice: found.practice.id, id: found.id };
  const change = changerOf({ ...kind, read: () => kind.read(path) }, found, loaded);
  return { of: found, path, change, may: (action) => found.may.includes(action), reload: loaded.reload, set: loaded.set };
}

interface OpenedProps<R extends Versioned> {
  kind: Kind<R>;
  title: string;
  params: Params;
  /** The screen of the record. Its content is in two columns. */
  page: (work: Work<R>) => Omit<Parameters<typeof Page>[0], "title">;
}

/** The screen of one record: what to show while it is read, why it could not be read, and then the record. */
export function Opened<R extends Versioned>({ kind, title, params, page }: OpenedProps<R>) {
  const { practice = "", id = "" } = params;
  const loaded = useLoad<R>((signal) => kind.read({ practice, id }, signal), [practice, id]);
  const problem = loaded.problem && <ProblemView problem={loaded.problem} onRetry={loaded.reload} />;
  // On the way to another record, the one before is not shown under its address.
  if (loaded.data?.id !== id) return <Page title={title}>{problem ?? <Loading />}</Page>;
  const { children, ...rest } = page(workOn(kind, loaded.data, loaded));
  return (
    <Page {...rest} title={title}>
      {problem}
      <div class="columns" aria-busy={loaded.isLoading}>
        {children}
      </div>
    </Page>
  );
}
