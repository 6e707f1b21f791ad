/**
 * For packages that send with `fetch`, which follows redirects and would take a key in a header of its own, such as
 * `x-api-key`, along to any other server.
 */
export const fetchWithoutRedirects: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' })
