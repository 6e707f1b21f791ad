// A classic script, so that it runs before the first paint. The app stores the theme under the same key (theme.ts).
document.documentElement.classList.add('script')
try {
  const theme = localStorage.getItem('benchmaker-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // A page on a disk may have no storage: the system's theme stays.
}
