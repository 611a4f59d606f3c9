// One request over the network.

/** Called while a body is sent, with the bytes that have left so far. The last call has all of them. */
export type Progress = (sent: number) => void;

/**
 * Sends one request. With `onProgress`, it goes by XMLHttpRequest, because `fetch` does not say how much of a body has left.
 * Rejects if there is no answer.
 */
export function exchange(url: string, init: RequestInit, onProgress?: Progress): Promise<Response> {
  if (!onProgress) return fetch(url, { ...init, credentials: "same-origin", redirect: "error" });
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    const end = (settle: () => void) => (): void => {
      init.signal?.removeEventListener("abort", abort);
      settle();
    };
    request.open(init.method ?? "GET", url);
    new Headers(init.headers).forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onload = end(() => resolve(answer(request)));
    request.onerror = end(() => reject(new Error("no answer")));
    request.onabort = request.onerror;
    init.signal?.addEventListener("abort", abort);
    if (init.signal?.aborted) request.onabort(new ProgressEvent("abort"));
    else request.send(init.body as FormData | null);
  });
}

function answer(request: XMLHttpRequest): Response {
  const lines = request.getAllResponseHeaders().trim().split(/[\r\n]+/);
  const headers = lines.map((line) => line.split(/:\s*(.*)/, 2) as [string, string]);
  return new Response(request.responseText || null, { status: request.status, headers });
}
