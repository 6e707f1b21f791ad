// A classic script, so that it runs before the first paint. The same key is in theme.ts.
{
  const theme = localStorage.getItem('benchmaker-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
}
