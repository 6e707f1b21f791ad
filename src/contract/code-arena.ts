/** Every Code Arena run is stored as a run of this suite, with a name that starts with the prefix. */
export const ARENA_SUITE_ID = 'code-arena'
export const ARENA_NAME_PREFIX = 'Code Arena: '

/** More previews side by side would be too small to compare. */
export const maxArenaModels = 6

/**
 * What a frame with a model's page may do, both in the app and in the page's own headers. Without `allow-forms` there
 * are no `submit` events; sending forms is forbidden by `form-action`. Never add `allow-same-origin`: without an origin
 * the page has no storage and no cookies.
 */
export const iframeSandbox = 'allow-scripts allow-forms allow-pointer-lock'
