// A change that a person wants, across all tries of its request.

/**
 * Gives every try of one change the same Idempotency-Key, so that the service makes the change once even if an answer
 * is lost. Another request, or a new try after a final answer, gets a new key.
 */
export class Intent {
  #request: string | undefined;
  #key = "";
  #answers = 0;

  /** How many final answers the service has given. */
  get answers(): number {
    return this.#answers;
  }

  /** The key for a request, which `request` identifies by method, address and body. */
  keyFor(request: string): string {
    if (this.#request !== request) {
      this.#request = request;
      this.#key = crypto.randomUUID();
    }
    return this.#key;
  }

  /** Notes that the service has given a final answer. */
  settle(): void {
    this.#request = undefined;
    this.#answers += 1;
  }
}
