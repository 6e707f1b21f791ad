import { sha256 } from '../../model/sha256.ts'
import { html, Markup } from './html-markup.ts'

/**
 * The only script of a report: it finds answers, and opens or closes all of them, for instance to print them. The page's
 * security policy allows this text and no other, by its hash.
 */
const SEARCH_SCRIPT = `(() => {
const bar = document.querySelector('.search')
const field = bar.querySelector('input')
const count = bar.querySelector('output')
const cases = [...document.querySelectorAll('.cases tbody')]
const tables = [...document.querySelectorAll('.part')]
let texts
let waiting
const search = () => {
texts ??= cases.map((part) => part.textContent.toLowerCase())
const words = field.value.toLowerCase().split(' ').filter(Boolean)
let found = 0
cases.forEach((part, index) => {
const isFound = words.every((word) => texts[index].includes(word))
part.hidden = !isFound
if (isFound) found += 1
})
for (const table of tables) table.hidden = !table.querySelector('tbody:not([hidden])')
count.textContent = words.length > 0 ? found + ' of ' + cases.length : ''
}
field.addEventListener('input', () => {
clearTimeout(waiting)
waiting = setTimeout(search, 120)
})
bar.querySelector('.open').addEventListener('click', () => {
const parts = [...document.querySelectorAll('.cases tbody:not([hidden]) details')]
const isOpening = parts.some((part) => !part.open)
for (const part of parts) part.open = isOpening
})
bar.hidden = false
})()`

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Base64 without `btoa`, which this room does not have. */
function toBase64(hex: string): string {
  const bits = Array.from(hex, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
  const letters = (bits.match(/.{1,6}/g) ?? []).map((group) => LETTERS[Number.parseInt(group.padEnd(6, '0'), 2)]!)
  return letters.join('').padEnd(Math.ceil(letters.length / 4) * 4, '=')
}

/** For the security policy of the page. */
export const searchHash = `sha256-${toBase64(sha256(SEARCH_SCRIPT))}`

/** Hidden without scripts, where it would do nothing. */
export const searchBar: Markup = html`<div class="search" hidden><label>Search prompts and answers <input type="search"></label> <output></output> <button class="open" type="button">Open or close all</button></div>`

export const searchScript: Markup = html`<script>${new Markup([SEARCH_SCRIPT], [])}</script>`
