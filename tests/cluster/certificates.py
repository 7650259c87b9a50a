"""An authority of certificates, made for a test."""

import datetime


def authority(folder):
    """An authority of its own with one certificate for all hosts: the files of it, of the certificate and of its key."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    folder.mkdir()
    keys = {name: ec.generate_private_key(ec.SECP256R1()) for name in ("ca", "host")}
    now = datetime.datetime.now(datetime.UTC)

    def name(said):
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, said)])

    def signed(said, key, is_authority):
        made = (
            x509.CertificateBuilder().subject_name(name(said)).issuer_name(name("authority")).public_key(key.public_key())
            .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        )  # fmt: skip
        return made.sign(keys["ca"], hashes.SHA256())

    files = {"ca": folder / "ca.pem", "cert": folder / "cert.pem", "key": folder / "key.pem"}
    files["ca"].write_bytes(
        signed("authority", keys["ca"], True).public_bytes(serialization.Encoding.PEM)
    )
    files["cert"].write_bytes(
        signed("host", keys["host"], False).public_bytes(serialization.Encoding.PEM)
    )
    files["key"].write_bytes(
        keys["host"].private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return files
