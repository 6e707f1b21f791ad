/** What the elements of a page are, for those who look for something to use. */

const MOST_SCANNED = 5000

/** The document and what is inside its custom elements. */
export function listRoots(root: Document | ShadowRoot = document): (Document | ShadowRoot)[] {
  const inside = [...root.querySelectorAll('*')]
    .slice(0, MOST_SCANNED)
    .flatMap(({ shadowRoot }) => (shadowRoot ? listRoots(shadowRoot) : []))
  return [root, ...inside]
}

/** Like `querySelectorAll`, but finds what is inside custom elements too. */
export function findAll<Found extends Element = Element>(selector: string): Found[] {
  return listRoots().flatMap((root) => [...root.querySelectorAll<Found>(selector)])
}

export function isVisible(element: Element): boolean {
  return (
    element.checkVisibility({ visibilityProperty: true }) && (element.getClientRects().length > 0 || isBox(element))
  )
}

/** Often only a switch's label is visible, and the box itself is hidden. */
export function isBox(element: Element): element is HTMLInputElement {
  return element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio')
}

export function isDisabled(element: Element): boolean {
  return element.matches(':disabled, [aria-disabled="true"]')
}

/** Returns true for a control that is already on: pressing it would change nothing or undo something. */
export function isAlreadyOn(element: Element): boolean {
  return element.matches(
    '[aria-pressed="true"], [role="tab"][aria-selected="true"], [role="radio"][aria-checked="true"], [aria-current="true"], [aria-current="page"], input[type="radio"]:checked',
  )
}

/** The words of a field's label, without those of the field inside it. */
function readFieldLabel(field: Element): string | undefined {
  const label =
    field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement
      ? field.labels?.[0]?.textContent
      : undefined
  return label?.replace(field.textContent, '')
}

/** The element's name as a user would say it. */
export function nameElement(element: Element): string {
  const candidates = [
    element.getAttribute('aria-label'),
    element instanceof HTMLSelectElement ? undefined : element.textContent,
    readFieldLabel(element),
    element.getAttribute('title'),
    element.getAttribute('placeholder'),
    element.getAttribute('name'),
    element.getAttribute('value'),
    element.id,
  ]
  const name =
    candidates.map((text) => (text ?? '').replace(/\s+/g, ' ').trim()).find((text) => text !== '') ??
    element.tagName.toLowerCase()
  return name.slice(0, 60)
}

export function setValue(field: Element, value: string): void {
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.value = value
  if (field instanceof HTMLSelectElement)
    field.selectedIndex =
      field.options.length > 1 ? (field.selectedIndex + 1) % field.options.length : field.selectedIndex
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, data: value, inputType: 'insertText' }))
  field.dispatchEvent(new Event('change', { bubbles: true, composed: true }))
}

/** As a press by a program, for what no pointer can reach. */
export function press(element: Element): void {
  const options = { bubbles: true, composed: true, cancelable: true, view: window, button: 0 }
  element.dispatchEvent(new PointerEvent('pointerdown', { ...options, pointerId: 1, isPrimary: true }))
  element.dispatchEvent(new MouseEvent('mousedown', options))
  element.dispatchEvent(new PointerEvent('pointerup', { ...options, pointerId: 1, isPrimary: true }))
  element.dispatchEvent(new MouseEvent('mouseup', options))
  if (element instanceof HTMLElement) element.click()
  else element.dispatchEvent(new MouseEvent('click', options))
}
