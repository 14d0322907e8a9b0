/** Prices of a million tokens, in whatever currency the configuration counts. */
export interface TokenPrice {
  readonly prompt: number;
  readonly completion: number;
}

const MILLION = 1_000_000;

/** What tokens cost at a price. */
export const tokenCost = (
  tokens: { readonly prompt_tokens: number; readonly completion_tokens: number },
  price: TokenPrice,
): number => (tokens.prompt_tokens * price.prompt + tokens.completion_tokens * price.completion) / MILLION;
