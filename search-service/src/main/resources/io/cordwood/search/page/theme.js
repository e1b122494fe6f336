// Dark or light: what the system prefers, until the user switches.

const KEY = 'cordwood-theme';
const root = document.documentElement;
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function chosen() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // The browser keeps nothing for this page
    return null;
  }
}

export function applyTheme() {
  root.dataset.theme = chosen() ?? (systemIsDark.matches ? 'dark' : 'light');
}

export function switchTheme() {
  const theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  root.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // It holds until the page is closed
  }
}

systemIsDark.addEventListener('change', applyTheme);
