/** A value that is made when it is first asked for. Schemas above all: to build those of a suite takes as long as to read a thousand cases. */
export function lazily<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => (made ??= make())
}
