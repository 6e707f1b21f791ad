const values = { get: () => undefined, has: () => false, getAll: () => [], set: () => undefined }

export const cookies = () => values
export const headers = () => new Headers()
