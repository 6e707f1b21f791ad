const SECRET_NAME = /auth|key|token|secret|cookie|passw|passphrase|pwd|credential|signature|^(?:sig|code)$/i

/** Whether the value of a header or query parameter with this name may be secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** The keys of well-known providers, whole or with stars. */
export const KEY_SHAPE = /\b(?:(?:sk|pk|rk|gsk|xai|hf)[-_]|AIza)[A-Za-z0-9*_-]{12,}/

/** Whether a header or query parameter must not be stored. */
export function isSecret(name: string, value: string): boolean {
  return isSecretName(name) || KEY_SHAPE.test(value)
}
