import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";
import {
  area, asProblem, homePath, loadPart, match, mustEnrol, navigate, type Params, pathname, type Problem, type Route,
  type ScreenProps, session, useAction,
} from "./lib/index.ts";
import { routes } from "./routes.ts";
import { Loading, Page, ProblemView, Shell } from "./ui/index.ts";

interface Found {
  route: Route;
  params: Params;
}

export function find(path: string): Found | undefined {
  for (const route of routes) {
    const params = match(route.path, path);
    if (params) return { route, params };
  }
  return undefined;
}

/** Where a person must go instead of a screen; `undefined` if they may open it. */
function elsewhere(route: Route): string | undefined {
  if (route.for === "anyone") return undefined;
  if (session.value === undefined) {
    return `/sign-in?${new URLSearchParams({ return: location.pathname + location.search })}`;
  }
  if (mustEnrol.value) return route.path === "/enrol" ? undefined : "/enrol";
  if (route.for !== "signed-in" && route.for !== area.value) return homePath();
  return undefined;
}

interface AppProps {
  /** Why it is not known who is signed in. */
  problem: Problem | undefined;
  /** Asks again. A reload would lose the token of a mailed link, which is in memory only. */
  onRetry: () => Promise<void>;
}

export function App({ problem, onRetry }: AppProps) {
  return <Shell>{problem ? <Unreachable {...{ problem, onRetry }} /> : <Screen />}</Shell>;
}

function Unreachable({ problem, onRetry }: AppProps) {
  const tries = useAction(onRetry);
  return (
    <Page title="Overturn cannot be reached" narrow>
      <ProblemView problem={problem} onRetry={tries.run} />
    </Page>
  );
}

function Screen() {
  const found = find(pathname.value);
  const instead = found && elsewhere(found.route);
  useEffect(() => {
    if (instead) navigate(instead, { replace: true });
  }, [instead]);
  if (!found) return <Missing />;
  if (instead) return <Loading />;
  // Another record is another screen, so that nothing of the last one stays.
  return <Outlet key={pathname.value} {...found} />;
}

function Missing() {
  return (
    <Page title="Page not found">
      <p>
        There is no page at this address. <a href="/">Go to the start</a>
      </p>
    </Page>
  );
}

interface Module {
  component?: ComponentType<ScreenProps> | undefined;
  problem?: Problem;
}

/** The screens whose scripts are there. */
const components = new Map<Route, ComponentType<ScreenProps>>();

export async function loadScreen(route: Route): Promise<ComponentType<ScreenProps>> {
  const component = components.get(route) ?? (await loadPart(route.load()));
  components.set(route, component);
  return component;
}

function Outlet({ route, params }: Found) {
  const loaded = useSignal<Module>({ component: components.get(route) });
  const [crashed, reset] = useErrorBoundary();
  const load = (): void => {
    if (loaded.value.component) return;
    loadScreen(route).then(
      (component) => {
        loaded.value = { component };
      },
      (thrown: unknown) => {
        loaded.value = { problem: asProblem(thrown) };
      },
    );
  };
  useEffect(load, [route]);
  const { component: Component, problem } = loaded.value;
  const failed = problem ?? (crashed ? asProblem(crashed) : undefined);
  if (failed) {
    return (
      <Page title="This page failed">
        <ProblemView problem={failed} onRetry={problem && load}>
          <p>
            If that does not help, there may be a new version:{" "}
            <a href={pathname.value} target="_self" onClick={() => reset()}>
              reload the page
            </a>
            .
          </p>
        </ProblemView>
      </Page>
    );
  }
  return Component ? <Component params={params} /> : <Loading />;
}
