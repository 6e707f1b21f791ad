import { findAll, isDisabled, isVisible, nameElement, press, setValue } from './elements.ts'

/** Lists what can be used on a page, and uses it, for a judge that tries the page step by step. */

interface Control {
  number: number
  kind: string
  name: string
  value?: string
}

type ControlStep =
  | { action: 'click'; control: number }
  | { action: 'type'; control: number; text: string }
  | { action: 'enter'; control: number }

const CONTROLS =
  'a[href], button, input, textarea, select, summary, [onclick], [contenteditable="true"], [tabindex="0"], [role="button"], [role="link"], [role="switch"], [role="tab"], [role="checkbox"], [role="radio"], [role="menuitem"], [role="option"], [role="slider"]'

const MOST_CONTROLS = 150

let listed: Element[] = []

function kindOf(element: Element): string {
  const role = element.getAttribute('role')
  if (role !== null) return role
  if (element instanceof HTMLInputElement) return element.type
  if (element instanceof HTMLAnchorElement) return 'link'
  return element.tagName.toLowerCase()
}

function valueOf(element: Element): string | undefined {
  if (element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio'))
    return element.checked ? 'on' : 'off'
  if (element instanceof HTMLSelectElement)
    return `${element.selectedOptions[0]?.text ?? ''} (of ${[...element.options].map(({ text }) => text).join(', ')})`
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
    return element.type === 'password' ? '•'.repeat(element.value.length) : element.value
  return element.getAttribute('aria-checked') ?? element.getAttribute('aria-selected') ?? undefined
}

export function listControls(): Control[] {
  listed = findAll(CONTROLS)
    .filter((element) => isVisible(element) && !isDisabled(element))
    .slice(0, MOST_CONTROLS)
  return listed.map((element, index) => {
    const value = valueOf(element)?.slice(0, 200)
    return {
      number: index + 1,
      kind: kindOf(element),
      name: nameElement(element),
      ...(value !== undefined && { value }),
    }
  })
}

/** Enters or chooses a text at once, without the keyboard. */
export function typeText(element: Element, text: string): void {
  if (element instanceof HTMLElement) element.focus()
  if (element instanceof HTMLSelectElement) {
    const wanted = text.trim().toLowerCase()
    const index = [...element.options].findIndex(
      (option) => option.text.trim().toLowerCase() === wanted || option.value.toLowerCase() === wanted,
    )
    if (index < 0) return
    element.selectedIndex = index
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
    element.dispatchEvent(new Event('change', { bubbles: true, composed: true }))
  } else if (element instanceof HTMLElement && element.isContentEditable) {
    element.textContent = text
    element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, data: text }))
  } else setValue(element, text)
}

function pressEnter(element: Element): void {
  const options = { key: 'Enter', code: 'Enter', bubbles: true, composed: true, cancelable: true }
  const isHandled = !element.dispatchEvent(new KeyboardEvent('keydown', options))
  element.dispatchEvent(new KeyboardEvent('keyup', options))
  if (isHandled) return
  if (element instanceof HTMLInputElement) element.form?.requestSubmit()
  else press(element)
}

/** Returns true if the page moved. */
export function scrollPage(direction: 'down' | 'up'): boolean {
  const before = window.scrollY
  window.scrollBy({ top: (direction === 'down' ? 0.8 : -0.8) * innerHeight, behavior: 'instant' })
  return window.scrollY !== before
}

/** Brings what a step uses into view. Returns false if it is gone. */
export function prepareStep(step: ControlStep): boolean {
  const element = listed[step.control - 1]
  if (!element?.isConnected) return false
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  return true
}

export function takeStep(step: ControlStep): void {
  const element = listed[step.control - 1]
  if (!element) return
  if (step.action === 'click') press(element)
  else if (step.action === 'enter') pressEnter(element)
  else typeText(element, step.text)
}
