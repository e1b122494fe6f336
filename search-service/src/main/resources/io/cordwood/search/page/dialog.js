// A modal dialog, which Esc closes and which keeps the focus; and the dialog that asks for a token.

import {Component, createRef, h} from './preact.js';

export class Dialog extends Component {
  #element = createRef();

  componentDidMount() {
    this.#element.current.showModal();
  }

  render({title, onClose, children, ...rest}) {
    return h('dialog', {
      ref: this.#element,
      'aria-label': title,
      // Once it is closed by Esc or by the page
      onClose,
      onClick: event => event.target === this.#element.current && this.#element.current.close(),
      ...rest,
    },
    h('header', {}, h('h2', {}, title), h('button', {class: 'quiet', onClick: onClose, 'aria-label': 'Close'}, '✕')),
    children);
  }
}

/** Asks for the token that a closed service wants. The page has it until it is closed or loaded again. */
export class TokenDialog extends Component {
  #input = createRef();

  componentDidMount() {
    this.#input.current.focus();
  }

  render({reason, onToken, onClose}) {
    const submit = event => {
      event.preventDefault();
      const token = this.#input.current.value.trim();
      if (token) {
        onToken(token);
      }
    };
    return h(Dialog, {title: 'Log in', onClose, id: 'token'},
        h('p', {}, 'This service asks for a token. The page keeps it in memory, and forgets it when you leave.'),
        reason && h('p', {class: 'problem', role: 'alert'}, reason),
        h('form', {class: 'line', onSubmit: submit},
            h('input', {ref: this.#input, type: 'password', 'aria-label': 'Token', autocomplete: 'off', required: true}),
            h('button', {class: 'main'}, 'Log in')));
  }
}
